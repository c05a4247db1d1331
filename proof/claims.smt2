; What is claimed of the rule, one block a claim. A block says under which assumption (given) what holds (holds).
; The solver is asked three kinds of question about each:
;   given and not holds     must have no solution: the claim is established for all sizes;
;   given and holds         must have a solution: the claim is about something;
;   each witness            must have a solution: the same claim with a wrong definition from mutants.smt2, or without
;                           its assumption ("assumption"), is refuted, so the first question can be answered otherwise.

;; claim commutative: meet(a, b) = meet(b, a)
; witness: first-wins
(declare-const a Axis)
(declare-const b Axis)
(define-fun given () Bool (and (proper a) (proper b)))
(define-fun holds () Bool (= (meet a b) (meet b a)))

;; claim associative: meet(meet(a, b), c) = meet(a, meet(b, c)), errors and unknown sizes included
; witness: maximum
; witness: forgetful
; witness: dropped-error
(declare-const a Axis)
(declare-const b Axis)
(declare-const c Axis)
(define-fun given () Bool (and (proper a) (proper b) (proper c)))
(define-fun holds () Bool (= (meet (meet a b) c) (meet a (meet b c))))

;; claim idempotent: meet(a, a) = a
; witness: strict
(declare-const a Axis)
(define-fun given () Bool (proper a))
(define-fun holds () Bool (= (meet a a) a))

;; claim identity: meet(1, a) = a and meet(a, 1) = a
; witness: maximum
; witness: equal-only
(declare-const a Axis)
(define-fun given () Bool (proper a))
(define-fun holds () Bool (and (= (meet one a) a) (= (meet a one) a)))

;; claim one-meets-zero: 1 meets 0 gives 0, not the larger of the two
; witness: maximum
; witness: plain-maximum
(declare-const a Axis)
(define-fun given () Bool (= a (size 0)))
(define-fun holds () Bool (and (= (meet one a) a) (= (meet a one) a)))

;; claim error-stays: an error meets anything and stays an error
; witness: dropped-error
(declare-const a Axis)
(define-fun given () Bool (proper a))
(define-fun holds () Bool (and (= (meet clash a) clash) (= (meet a clash) clash)))

;; claim only-ones-give-way: two sizes meet without error just when they are equal or one of them is 1
; witness: plain-maximum
; witness: equal-only
(declare-const a Axis)
(declare-const b Axis)
(define-fun given () Bool (and (sized a) (sized b)))
(define-fun holds () Bool (= (not (= (meet a b) clash)) (or (= a b) (= a one) (= b one))))

;; claim names-meet-themselves: a name meets itself, a 1 and nothing else, so sizes of two names are never combined
; witness: loose-names
; witness: names-alike
; witness: first-wins
(declare-const a Axis)
(declare-const n Int)
(define-fun given () Bool (proper a))
(define-fun holds () Bool
  (= (meet (named n) a) (ite (or (= a (named n)) (= a one)) (named n) clash)))

;; claim names-stay: what meets without error and has a name on one side has that name, so no name is forgotten
; witness: names-forgotten
; witness: names-alike
(declare-const a Axis)
(declare-const b Axis)
(define-fun given () Bool (and (proper a) (proper b) (not (= (meet a b) clash))))
(define-fun holds () Bool
  (and (=> ((_ is named) a) (= (meet a b) a)) (=> ((_ is named) b) (= (meet a b) b))))

;; claim smallest-common: meet(a, b) is the smallest size to which both expand: any other such size is one to which it expands
; witness: maximum
; witness: plain-maximum
(declare-const a Axis)
(declare-const b Axis)
(declare-const c Axis)
(define-fun given () Bool (and (sized a) (sized b) (sized c)))
(define-fun holds () Bool
  (and (=> (not (= (meet a b) clash)) (and (expands a (meet a b)) (expands b (meet a b))))
       (=> (and (expands a c) (expands b c)) (and (not (= (meet a b) clash)) (expands (meet a b) c)))))

;; claim static-sound: what the compiler concludes holds for every size the unknown axes turn out to have
; witness: forgets-one
(declare-const a Axis)
(declare-const b Axis)
(declare-const m Axis)
(declare-const n Axis)
(define-fun given () Bool
  (and (sized m) (sized n) (or (= a dyn) (= a m)) (or (= b dyn) (= b n)) (not (= (meet m n) clash))))
(define-fun holds () Bool (or (= (meet a b) dyn) (= (meet a b) (meet m n))))

;; claim static-sharp: the compiler leaves an axis unknown only if it can still turn out to be any size
; witness: forgetful
(declare-const a Axis)
(declare-const b Axis)
(declare-const n Axis)
(define-fun given () Bool (and (proper a) (proper b) (sized n) (= (meet a b) dyn)))
(define-fun holds () Bool (= (meet (ite (= a dyn) n a) (ite (= b dyn) n b)) n))

;; claim read-inside: an operand is read inside its bounds, for every index of the result
; witness: plain-maximum
; witness: first-wins
; witness: unexpanded
(declare-const a Axis)
(declare-const b Axis)
(declare-const s Int)
(define-fun given () Bool (and (sized a) (sized b) (not (= (meet a b) clash)) (inside s (meet a b))))
(define-fun holds () Bool (and (inside (read_at s a) a) (inside (read_at s b) b)))

;; claim read-compose: expanding twice reads what expanding once reads: f(f(s, d2), d1) = f(s, d1) where d1 expands to d2
; witness: assumption
; witness: misread
(declare-const d1 Axis)
(declare-const d2 Axis)
(declare-const d3 Axis)
(declare-const s Int)
(define-fun given () Bool
  (and (sized d1) (sized d2) (sized d3) (expands d1 d2) (expands d2 d3) (inside s d3)))
(define-fun holds () Bool (= (read_at (read_at s d2) d1) (read_at s d1)))

;; claim stride-zero: an expanded axis is an axis of stride 0: the address is the same
; witness: unexpanded
(declare-const d Axis)
(declare-const s Int)
(declare-const stride Int)
(define-fun given () Bool (sized d))
(define-fun holds () Bool (= (* s (stride_for stride d)) (* (read_at s d) stride)))

;; claim L1: expansion commutes with pointwise functions: e(i * j) = e(i) * e(j) for i, j of one size
; witness: by-position
(declare-const i (Array Int Element))
(declare-const j (Array Int Element))
(declare-const d Axis)
(declare-const s Int)
(define-fun given () Bool (sized d))
(define-fun holds () Bool
  (= (select (expand (multiply i j) d) s) (select (multiply (expand i d) (expand j d)) s)))

;; claim L1-views: any map of indices commutes with pointwise functions: transposing, slicing, flipping alike
; witness: by-position
(declare-fun view (Int) Int)
(declare-const i (Array Int Element))
(declare-const j (Array Int Element))
(declare-const s Int)
(define-fun given () Bool true)
(define-fun holds () Bool
  (= (select (multiply i j) (view s))
     (select (multiply (lambda ((t Int)) (select i (view t))) (lambda ((t Int)) (select j (view t)))) s)))

;; claim sizes-agree: e(c, e(a, b)) = e(c, a, b): the size of c + a*b is that of all three expanded at once, or both fail
; witness: maximum
; witness: dropped-error
; witness: forgetful
(declare-const c Axis)
(declare-const a Axis)
(declare-const b Axis)
(define-fun given () Bool (and (proper a) (proper b) (proper c)))
(define-fun holds () Bool
  (and (= (meet c (meet a b)) (meet (meet c a) b))
       (= (meet c (meet a b)) (meet (meet a b) c))
       (= (meet c (meet a b)) (meet a (meet c b)))))

;; claim theorem: addcmul(c, a, b) = add(c, mul(a, b)), element for element, whatever add and mul are
; witness: plain-maximum
; witness: misread
(declare-const dc Axis)
(declare-const da Axis)
(declare-const db Axis)
(declare-const c (Array Int Element))
(declare-const a (Array Int Element))
(declare-const b (Array Int Element))
(declare-const s Int)
(define-fun product () (Array Int Element) (multiply (expand a da) (expand b db)))
(define-fun given () Bool
  (and (sized dc) (sized da) (sized db) (not (= (meet dc (meet da db)) clash)) (inside s (meet dc (meet da db)))))
(define-fun holds () Bool
  (= (plus (select c (read_at s dc)) (select (expand product (meet da db)) s))
     (plus (select c (read_at s dc)) (times (select a (read_at s da)) (select b (read_at s db))))))

;; claim theorem-addcdiv: addcdiv(c, a, b) = add(c, div(a, b)), by the same argument
; witness: plain-maximum
; witness: misread
(declare-const dc Axis)
(declare-const da Axis)
(declare-const db Axis)
(declare-const c (Array Int Element))
(declare-const a (Array Int Element))
(declare-const b (Array Int Element))
(declare-const s Int)
(define-fun quotient () (Array Int Element)
  (lambda ((t Int)) (divided (select a (read_at t da)) (select b (read_at t db)))))
(define-fun given () Bool
  (and (sized dc) (sized da) (sized db) (not (= (meet dc (meet da db)) clash)) (inside s (meet dc (meet da db)))))
(define-fun holds () Bool
  (= (plus (select c (read_at s dc)) (select quotient (read_at s (meet da db))))
     (plus (select c (read_at s dc)) (divided (select a (read_at s da)) (select b (read_at s db))))))

;; claim four-operands: any bracketing and order of four operands gives the same size: n operands fold from the left
; witness: maximum
; witness: first-wins
(declare-const a Axis)
(declare-const b Axis)
(declare-const c Axis)
(declare-const d Axis)
(define-fun given () Bool (and (proper a) (proper b) (proper c) (proper d)))
(define-fun left () Axis (meet (meet (meet a b) c) d))
(define-fun holds () Bool
  (and (= left (meet (meet a b) (meet c d))) (= left (meet a (meet (meet b c) d))) (= left (meet a (meet b (meet c d))))
       (= left (meet (meet a (meet b c)) d)) (= left (meet (meet d b) (meet a c))) (= left (meet d (meet c (meet b a))))))

;; claim in-place-keeps: an in-place form leaves its destination's size as it is, or fails: it never grows
; witness: growing
(declare-const self Axis)
(declare-const a Axis)
(define-fun given () Bool (and (sized self) (proper a)))
(define-fun holds () Bool (or (= (in_place self a) self) (= (in_place self a) clash)))

;; claim in-place-is-expansion: it succeeds just when the result expands to the destination; a 1 refuses a 0
; witness: maximum
; witness: growing
(declare-const self Axis)
(declare-const a Axis)
(define-fun given () Bool (and (sized self) (sized a)))
(define-fun holds () Bool
  (and (= (= (in_place self a) self) (expands a self)) (= (in_place one (size 0)) clash)))

;; claim in-place-groups: addcmul_(self, a, b): checking a*b at once, or a and b one after the other, is the same check
; witness: dropped-error
(declare-const self Axis)
(declare-const a Axis)
(declare-const b Axis)
(define-fun given () Bool (and (sized self) (sized a) (sized b)))
(define-fun holds () Bool
  (and (= (in_place self (meet a b)) (in_place (in_place self a) b))
       (= (in_place self (meet a b)) (in_place self (meet self (meet a b))))
       (= (in_place self (meet a b)) (in_place self (meet (meet self a) b)))))

;; claim in-place-agrees: where an in-place form succeeds, it has the size that the ordinary function gives
; witness: growing
(declare-const self Axis)
(declare-const a Axis)
(declare-const b Axis)
(define-fun given () Bool
  (and (sized self) (sized a) (sized b) (not (= (in_place self (meet a b)) clash))))
(define-fun holds () Bool
  (and (= (in_place self (meet a b)) self) (= (in_place self (meet a b)) (meet self (meet a b)))))

;; claim added-keeps: addmm and its kin: the result has the product's size or there is none; only C expands
; witness: two-sided
(declare-const c Axis)
(declare-const p Axis)
(define-fun given () Bool (and (sized c) (sized p)))
(define-fun holds () Bool
  (and (or (= (added_to c p) p) (= (added_to c p) clash)) (= (= (added_to c p) p) (expands c p))))

;; claim added-agrees: where addmm succeeds it agrees with add(C, mm(A, B)), and that function's other successes are those where C would enlarge a product of size 1
; witness: two-sided
; witness: maximum
(declare-const c Axis)
(declare-const p Axis)
(define-fun given () Bool (and (sized c) (sized p)))
(define-fun holds () Bool
  (and (=> (not (= (added_to c p) clash)) (= (added_to c p) (meet c p)))
       (= (and (= (added_to c p) clash) (not (= (meet c p) clash))) (and (= p one) (not (= c one))))))

;; claim added-in-place: addmm_ is in-place and C only: it succeeds just when self has the product's size already
; witness: two-sided
(declare-const self Axis)
(declare-const p Axis)
(define-fun given () Bool (and (sized self) (sized p)))
(define-fun holds () Bool
  (= (= (in_place self (added_to self p)) self) (= self p)))

;; claim ranks: three shapes of any ranks give the same rank and the same axes in both groupings
; witness: maximum
; witness: first-rank
(declare-const c Shape)
(declare-const a Shape)
(declare-const b Shape)
(declare-const k Int)
(define-fun given () Bool (and (proper_shape a) (proper_shape b) (proper_shape c) (>= k 0)))
(define-fun holds () Bool
  (and (= (rank (broadcast c (broadcast a b))) (rank (broadcast (broadcast c a) b)))
       (= (axis_of (broadcast c (broadcast a b)) k) (axis_of (broadcast (broadcast c a) b) k))))

;; claim missing-axes: an axis that one of two shapes lacks is the other's; the result has as many axes as the longer one
; witness: missing-unknown
; witness: missing-zero
; witness: aligned-left
; witness: first-rank
(declare-const a Shape)
(declare-const b Shape)
(declare-const k Int)
(define-fun given () Bool
  (and (proper_shape a) (proper_shape b) (<= (rank a) k) (< k (rank b))))
(define-fun holds () Bool
  (and (= (axis_of (broadcast a b) k) (select (axes b) k)) (= (axis_of (broadcast b a) k) (select (axes b) k))
       (= (rank (broadcast a b)) (rank b)) (= (rank (broadcast b a)) (rank b))))

;; claim ranks-four: four shapes of any ranks give the same rank and the same axes in every grouping
; witness: maximum
; witness: first-rank
(declare-const a Shape)
(declare-const b Shape)
(declare-const c Shape)
(declare-const d Shape)
(declare-const k Int)
(define-fun left () Shape (broadcast (broadcast (broadcast a b) c) d))
(define-fun agrees ((s Shape)) Bool (and (= (rank s) (rank left)) (= (axis_of s k) (axis_of left k))))
(define-fun given () Bool
  (and (proper_shape a) (proper_shape b) (proper_shape c) (proper_shape d) (>= k 0)))
(define-fun holds () Bool
  (and (agrees (broadcast (broadcast a b) (broadcast c d))) (agrees (broadcast a (broadcast (broadcast b c) d)))
       (agrees (broadcast a (broadcast b (broadcast c d)))) (agrees (broadcast (broadcast a (broadcast b c)) d))
       (agrees (broadcast (broadcast d b) (broadcast a c))) (agrees (broadcast d (broadcast c (broadcast b a))))))

;; claim ranks-fail-alike: c + a*b fails, at its product or at its sum, just when the three together fail
; witness: maximum
; witness: dropped-error
(declare-const c Shape)
(declare-const a Shape)
(declare-const b Shape)
(define-fun given () Bool (and (proper_shape a) (proper_shape b) (proper_shape c)))
(define-fun holds () Bool
  (and (= (or (fails (broadcast a b)) (fails (broadcast c (broadcast a b)))) (fails (broadcast (broadcast c a) b)))
       (=> (fails (broadcast a b)) (fails (broadcast c (broadcast a b))))))

;; claim ranks-read: on every axis, through any ranks, an operand of the product is read where the three together read it
; witness: plain-maximum
; witness: aligned-left
(declare-const c Shape)
(declare-const a Shape)
(declare-const b Shape)
(declare-const s (Array Int Int))
(declare-const k Int)
(define-fun whole () Shape (broadcast (broadcast c a) b))
(define-fun given () Bool
  (and (proper_shape a) (proper_shape b) (proper_shape c) (>= k 0)
       (not (= (axis_of whole k) clash)) (inside (select s k) (axis_of whole k))))
(define-fun holds () Bool
  (= (select (read_all (read_all s (broadcast a b)) a) k) (select (read_all s a) k)))

;; claim ranks-in-place: over any ranks an operand fits a destination just when each axis does, and one with more axes never does, not even if they are 1
; witness: first-rank
(declare-const self Shape)
(declare-const a Shape)
(declare-const b Shape)
(declare-const k Int)
(define-fun fits ((t Shape)) Bool
  (and (= (rank (broadcast self t)) (rank self))
       (forall ((j Int)) (=> (and (<= 0 j) (< j (rank self))) (= (axis_of (broadcast self t) j) (axis_of self j))))))
(define-fun given () Bool (and (proper_shape self) (proper_shape a) (proper_shape b)))
(define-fun holds () Bool
  (and (=> (fits (broadcast a b)) (and (fits a) (fits b)))
       (=> (and (fits a) (fits b)) (fits (broadcast a b)))
       (=> (> (rank a) (rank self)) (not (fits a)))))
