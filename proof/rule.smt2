; The broadcasting rule and what follows from it, as the solver sees it: one axis at a time, for sizes without bound.
; The claims about these definitions are in claims.smt2; wrong versions of them, which claims must notice, in
; mutants.smt2. A test compares `meet` with the library's own rule (test/proof/rule_test.cpp).

; What is known about one axis: its size, nothing yet (dyn), that it is the size of a name, or that two did not fit.
(declare-datatypes ((Axis 0)) (((size (value Int)) (dyn) (named (label Int)) (clash))))
(define-fun one () Axis (size 1))
(define-fun proper ((a Axis)) Bool (=> ((_ is size) a) (>= (value a) 0)))
(define-fun sized ((a Axis)) Bool (and ((_ is size) a) (>= (value a) 0)))

; The rule: equal sizes and equal names stay, 1 gives way to the other, an unknown size gives way to a known one but does
; not meet a name, an error stays.
(define-fun meet ((a Axis) (b Axis)) Axis
  (ite (= a b) a
  (ite (= a one) b
  (ite (= b one) a
  (ite (= a clash) clash
  (ite (= b clash) clash
  (ite (or ((_ is named) a) ((_ is named) b)) clash
  (ite (= a dyn) b
  (ite (= b dyn) a
  clash)))))))))

; a gives way to b: an axis of size a can be expanded to size b.
(define-fun expands ((a Axis) (b Axis)) Bool (or (= a b) (= a one)))

; Where an array whose axis has size d is read for index s of the result: an axis of size 1 is read at 0 throughout.
(define-fun read_at ((s Int) (d Axis)) Int (ite (= d one) 0 s))
(define-fun stride_for ((stride Int) (d Axis)) Int (ite (= d one) 0 stride))
(define-fun inside ((s Int) (d Axis)) Bool (and (<= 0 s) (< s (value d))))

; Elements are of any kind, and functions of them may do anything: nothing is assumed but that equal arguments give
; equal results.
(declare-sort Element 0)
(declare-fun times (Element Element) Element)
(declare-fun plus (Element Element) Element)
(declare-fun divided (Element Element) Element)
(declare-fun weighted (Element Element Element) Element)

; The expansion of an array along one axis, and a two-operand function of arrays of the same size, element by element.
(define-fun expand ((x (Array Int Element)) (d Axis)) (Array Int Element)
  (lambda ((s Int)) (select x (read_at s d))))
(define-fun multiply ((x (Array Int Element)) (y (Array Int Element))) (Array Int Element)
  (lambda ((s Int)) (times (select x s) (select y s))))

; In place: the result must broadcast to the destination, which keeps its size.
(define-fun in_place ((self Axis) (result Axis)) Axis
  (ite (= (meet self result) self) self clash))

; The sum of C and a product: C is expanded to the product's size, never the reverse.
(define-fun added_to ((c Axis) (product Axis)) Axis
  (ite (expands c product) product clash))

; Shapes of any rank: axes are counted from the last one, and one that is missing counts as 1.
(declare-datatypes ((Shape 0)) (((shape (rank Int) (axes (Array Int Axis))))))
(define-fun axis_of ((s Shape) (k Int)) Axis (ite (< k (rank s)) (select (axes s) k) one))
(define-fun larger ((m Int) (n Int)) Int (ite (< m n) n m))
(define-fun broadcast ((s Shape) (t Shape)) Shape
  (shape (larger (rank s) (rank t)) (lambda ((k Int)) (meet (axis_of s k) (axis_of t k)))))
(define-fun fails ((s Shape)) Bool
  (exists ((k Int)) (and (<= 0 k) (< k (rank s)) (= (select (axes s) k) clash))))
(define-fun proper_shape ((s Shape)) Bool
  (and (>= (rank s) 0) (forall ((k Int)) (sized (select (axes s) k)))))
; An index of the result, one number per axis, and where an operand of a given shape is read for it.
(define-fun read_all ((s (Array Int Int)) (d Shape)) (Array Int Int)
  (lambda ((k Int)) (read_at (select s k) (axis_of d k))))
