"""The example module on NumPy arrays: results, addresses, what is refused, and threads that run meanwhile (pytest)."""
import threading

import fused
import numpy as np
import pytest


def test_values_are_numpys():
    random = np.random.default_rng(1)
    x = random.standard_normal((40, 30)).astype("float32")
    mean, deviation = x.mean(0), x.std(0)
    expected = np.clip((x - mean) / (deviation + np.float32(1e-6)), -2, 2)
    np.testing.assert_allclose(fused.standardize(x, mean, deviation, 2), expected, rtol=1e-6, atol=1e-6)
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(fused.softmax(x), e / e.sum(1, keepdims=True), rtol=1e-5)


def test_views_are_read_where_they_lie():
    x = np.arange(24, dtype="float32").reshape(4, 6)
    assert fused.address(x) == x.ctypes.data
    part = x[::-2, 1:4].T
    assert fused.address(part) == part.ctypes.data
    np.testing.assert_allclose(fused.softmax(part), fused.softmax(part.copy()), rtol=0)
    assert fused.softmax(x[:0]).shape == (0, 6)
    result = fused.softmax(x)
    assert result.dtype == np.float32 and result.flags.c_contiguous and result.flags.writeable
    # NumPy refers to the tensor's memory, which it would own had it copied.
    assert result.base is not None and not result.flags.owndata


def test_arrays_are_written_in_place():
    out = np.ones(10)
    fused.add_scaled(out[::2], np.arange(5.0), 10)
    np.testing.assert_array_equal(out, [1, 1, 11, 1, 21, 1, 31, 1, 41, 1])
    out.flags.writeable = False
    with pytest.raises(TypeError, match="expected an array that can be written, got a read-only one"):
        fused.add_scaled(out, np.ones(10), 1)


def test_what_is_no_such_array_is_a_type_error():
    x = np.ones((2, 3))
    with pytest.raises(TypeError, match="expected an array of float32 with 2 axes, got one of float64 with 2"):
        fused.softmax(x)
    with pytest.raises(TypeError, match="got one of float32 with 1"):
        fused.softmax(x.astype("float32")[0])
    with pytest.raises(TypeError, match="got one of >f4 with 2"):
        fused.softmax(x.astype(">f4"))
    raw = np.zeros(2 * 3 * 4 + 1, dtype="uint8")[1:].view("float32").reshape(2, 3)
    with pytest.raises(TypeError, match="expected elements that are aligned"):
        fused.softmax(raw)
    with pytest.raises(ValueError, match="must match the size of tensor"):
        fused.standardize(np.ones((4, 3), "float32"), np.ones(2, "float32"), np.ones(3, "float32"), 1)


def test_results_outlive_what_they_were_made_from():
    results = [fused.softmax(np.full((50, 50), i, "float32")) for i in range(100)]
    assert all(abs(r.sum() - 50) < 1e-3 for r in results)


def test_threads_of_python_run_at_the_same_time():
    x = np.random.default_rng(2).standard_normal((200, 300)).astype("float32")
    expected = fused.softmax(x)
    results = [None] * 8

    def work(i):
        for _ in range(20):
            results[i] = fused.softmax(x)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all((r == expected).all() for r in results)


def test_an_array_of_any_rank_is_taken():
    x = np.random.default_rng(3).standard_normal((4, 5, 6))
    for part in (x, x[::-1, 2], x[1, ::2, 3], x[0, 0, 0]):
        np.testing.assert_allclose(fused.rms(np.asarray(part)), np.sqrt(np.mean(part**2)))
    with pytest.raises(TypeError, match="expected an array of float64, got one of float32 with 1"):
        fused.rms(np.ones(3, "float32"))
    with pytest.raises(ValueError, match="the array has rank 4"):
        fused.rms(np.ones((1, 1, 1, 1)))
