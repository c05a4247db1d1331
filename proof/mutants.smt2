; Wrong definitions. Each takes the place of the right one of the same name in rule.smt2, for the claims that name it as
; a witness, and must be caught there.

;; mutant maximum: the rule as it is often told: equal or one of them 1, then the larger; where 1 meets 0 it says 1
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (and (sized a) (sized b)) (ite (or (= a one) (= b one)) (ite (< (value a) (value b)) b a) clash)
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (= a dyn) (ite (= b one) a b) (ite (= a one) b a)))))))

;; mutant plain-maximum: the larger of the two, without an error
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (and (sized a) (sized b)) (ite (< (value a) (value b)) b a)
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (= a dyn) (ite (= b one) a b) (ite (= a one) b a))))))

;; mutant first-wins: where two sizes differ the first is taken, without an error
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a one) b a))

;; mutant strict: equal sizes clash too, unless they are 1
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a one) b
  (ite (= b one) a
  clash)))

;; mutant equal-only: no axis gives way
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a clash))

;; mutant dropped-error: an error is forgotten as soon as something else comes
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a one) b
  (ite (= b one) a
  (ite (= a clash) b
  (ite (= b clash) a
  (ite (= a dyn) b
  (ite (= b dyn) a
  clash))))))))

;; mutant forgetful: an unknown size that meets a known one leaves it unknown
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a one) b
  (ite (= b one) a
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (= a dyn) dyn
  (ite (= b dyn) dyn
  clash))))))))

;; mutant forgets-one: an unknown size that meets a 1 is concluded to be 1
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a dyn) b
  (ite (= b dyn) a
  (ite (= a one) b
  (ite (= b one) a
  clash))))))

;; mutant unexpanded: an axis of size 1 is read at every index, as if it were long
(define-fun read_at ((s Int) (d Axis)) Int s)

;; mutant misread: the index is halved on every axis longer than 1, so that two expansions are not one
(define-fun read_at ((s Int) (d Axis)) Int (ite (= d one) 0 (div s 2)))

;; mutant by-position: the function depends on where the element is, not on its operands alone
(declare-fun times_at (Int Element Element) Element)
(define-fun multiply ((x (Array Int Element)) (y (Array Int Element))) (Array Int Element)
  (lambda ((s Int)) (times_at s (select x s) (select y s))))

;; mutant growing: an in-place form that takes the size of the result, as a silent resize does
(define-fun in_place ((self Axis) (result Axis)) Axis (meet self result))

;; mutant two-sided: the product expands to C as well
(define-fun added_to ((c Axis) (product Axis)) Axis (meet c product))

;; mutant aligned-left: missing axes are taken to be the last ones: both shapes are aligned at their first axis
(define-fun broadcast ((s Shape) (t Shape)) Shape
  (shape (larger (rank s) (rank t))
    (lambda ((k Int))
      (meet (axis_of s (- k (- (larger (rank s) (rank t)) (rank s))))
            (axis_of t (- k (- (larger (rank s) (rank t)) (rank t))))))))

;; mutant first-rank: the result has as many axes as the first operand
(define-fun broadcast ((s Shape) (t Shape)) Shape
  (shape (rank s) (lambda ((k Int)) (meet (axis_of s k) (axis_of t k)))))

;; mutant missing-unknown: a missing axis is unknown rather than 1
(define-fun axis_of ((s Shape) (k Int)) Axis (ite (< k (rank s)) (select (axes s) k) dyn))

;; mutant missing-zero: a missing axis counts as 0
(define-fun axis_of ((s Shape) (k Int)) Axis (ite (< k (rank s)) (select (axes s) k) (size 0)))

;; mutant loose-names: a name meets an unknown size, which is then taken for that of the name
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a one) b
  (ite (= b one) a
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (= a dyn) b
  (ite (= b dyn) a
  clash))))))))

;; mutant names-alike: sizes of different names meet, the first stays
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a one) b
  (ite (= b one) a
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (and ((_ is named) a) ((_ is named) b)) a
  (ite (or ((_ is named) a) ((_ is named) b)) clash
  (ite (= a dyn) b
  (ite (= b dyn) a
  clash))))))))))

;; mutant names-forgotten: a name that meets a 1 becomes an unknown size
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a one) (ite ((_ is named) b) dyn b)
  (ite (= b one) (ite ((_ is named) a) dyn a)
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (or ((_ is named) a) ((_ is named) b)) clash
  (ite (= a dyn) b
  (ite (= b dyn) a
  clash)))))))))
