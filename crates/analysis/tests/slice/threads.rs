//! Interference, waiting, life of shared objects.

use expect_test::expect;

use super::check;

/// Figure 2 of the paper.
#[test]
fn writes_of_another_thread_to_what_is_read_matter() {
    check(
        "func @writer(%0: ptr) -> ptr {
        bb0: store i32 10i32 to @x
             store i32 1i32 to @y
             store i32 20i32 to @x
             return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @writer, ptr null)
             %1: i32 = load i32 @x
             %2: i32 = load i32 @x
             %3: i1 = cmp.sle i32 %1, %2
             call @check(i1 %3)
             return }",
        &expect![[r#"
            * writer: store i32 10i32 to @x
            * writer: store i32 20i32 to @x
            * main: %1: i32 = load i32 @x
            * main: %2: i32 = load i32 @x
        "#]],
    );
}

/// Figure 4 of the paper: nothing in it can fail, so nothing matters.
#[test]
fn two_threads_that_only_count_have_nothing_that_matters() {
    check(
        "func @count(%0: ptr) -> i32 {
        bb0: %1: i32 = load i32 %0
             %2: i32 = add.nsw i32 %1, 1i32
             store i32 %2 to %0
             return %1 }
        func @work() {
        bb0: return }
        func @thread(%0: ptr) -> ptr {
        bb0: %1: i32 = call @count(ptr @x)
             %2: i1 = cmp.eq i32 %1, 0i32
             branch %2, bb1, bb2
        bb1: call @work()
             jump bb3
        bb2: call @work()
             jump bb3
        bb3: %3: i32 = call @count(ptr @y)
             %4: i1 = cmp.eq i32 %3, 0i32
             branch %4, bb4, bb5
        bb4: call @work()
             jump bb6
        bb5: jump bb6
        bb6: return null }
        func @main() {
        bb0: %0: i32 = call @input()
             store i32 %0 to @x
             %1: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             %2: ptr = call @thread(ptr null)
             return }",
        &expect![[r#""#]],
    );
}

#[test]
fn a_loop_that_waits_matters_although_its_value_is_not_used() {
    check(
        "func @wait(%0: ptr) -> ptr {
        bb0: jump bb1
        bb1: %1: i32 = load.seqcst i32 @x
             %2: i32 = load i32 @z
             %3: i1 = cmp.eq i32 %1, 0i32
             branch %3, bb1, bb2
        bb2: return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @wait, ptr null)
             store.seqcst i32 1i32 to @x
             store i32 1i32 to @z
             return }",
        &expect![[r#"
            * wait: %1: i32 = load.seqcst i32 @x
            * wait: %2: i32 = load i32 @z
            - wait: branch %3, bb1, bb2
            * main: store.seqcst i32 1i32 to @x
        "#]],
    );
}

#[test]
fn what_one_thread_alone_touches_is_not_relevant() {
    check(
        "func @first(%0: ptr) -> ptr {
        bb0: %1: i32 = load i32 @x
             %2: i1 = cmp.eq i32 %1, 0i32
             call @check(i1 %2)
             store i32 1i32 to @x
             return null }
        func @second(%0: ptr) -> ptr {
        bb0: %1: i32 = load i32 @y
             %2: i1 = cmp.eq i32 %1, 0i32
             call @check(i1 %2)
             store i32 1i32 to @y
             return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @first, ptr null)
             jump bb1
        bb1: %1: i32 = call @pthread_create(ptr @t, ptr null, ptr @second, ptr null)
             %2: i32 = call @input()
             %3: i1 = trunc i32 %2 to i1
             branch %3, bb1, bb2
        bb2: return }",
        &expect![[r#"
            - first: %1: i32 = load i32 @x
            - first: store i32 1i32 to @x
            * second: %1: i32 = load i32 @y
            * second: store i32 1i32 to @y
            - main: branch %3, bb1, bb2
        "#]],
    );
}

#[test]
fn a_loop_that_counts_to_a_constant_does_not_matter_whatever_it_does() {
    check(
        "func @thread(%0: ptr) -> ptr {
        bb0: jump bb1(0i32)
        bb1(%1: i32): %2: i1 = cmp.slt i32 %1, 9i32
             branch %2, bb2, bb4
        bb2: %3: i32 = load i32 @x
             %4: i1 = cmp.eq i32 %3, %1
             branch %4, bb4, bb3
        bb3: %5: i32 = add.nsw i32 %1, 1i32
             jump bb1(%5)
        bb4: return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             store i32 3i32 to @x
             return }",
        &expect![[r#""#]],
    );
}

#[test]
fn a_branch_around_a_lock_matters_and_what_the_lock_protects_does_not() {
    check(
        "func @main() {
        bb0: %0: i32 = load i32 @x
             %1: i1 = cmp.eq i32 %0, 0i32
             branch %1, bb1, bb2
        bb1: %2: i32 = call @pthread_mutex_lock(ptr @m)
             %3: i32 = load i32 @y
             store i32 %3 to @z
             %4: i32 = call @pthread_mutex_unlock(ptr @m)
             jump bb2
        bb2: return }",
        &expect![[r#"
            - main: %0: i32 = load i32 @x
            - main: branch %1, bb1, bb2
        "#]],
    );
}

#[test]
fn threads_started_in_a_loop_write_where_their_arguments_point() {
    check(
        "global @a size 8 align 4 = {}
        func @thread(%0: ptr) -> ptr {
        bb0: store i32 1i32 to %0
             store i32 1i32 to @y
             return null }
        func @main() {
        bb0: jump bb1(0i32)
        bb1(%0: i32): %1: i1 = cmp.slt i32 %0, 2i32
             branch %1, bb2, bb3
        bb2: %2: ptr = ptradd @a, 0, i32 %0 * 4
             %3: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr %2)
             %4: i32 = add.nsw i32 %0, 1i32
             jump bb1(%4)
        bb3: %5: i32 = load i32 @a+4
             %6: i1 = cmp.eq i32 %5, 1i32
             call @check(i1 %6)
             return }",
        &expect![[r#"
            * thread: store i32 1i32 to %0
            - main: branch %1, bb2, bb3
            * main: %5: i32 = load i32 @a+4
        "#]],
    );
}

#[test]
fn results_of_threads_are_followed_to_where_they_are_joined() {
    check(
        "global @r size 8 align 8 = {}
        func @thread(%0: ptr) -> ptr {
        bb0: %1: i32 = load i32 @x
             %2: i64 = sext i32 %1 to i64
             %3: ptr = inttoptr i64 %2 to ptr
             %4: i32 = load i32 @y
             return %3 }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             %1: i64 = load i64 @t
             %2: i32 = call @pthread_join(i64 %1, ptr @r)
             %3: i64 = load i64 @r
             %4: i1 = cmp.eq i64 %3, 0i64
             call @check(i1 %4)
             return }",
        &expect![[r#"
            - thread: %1: i32 = load i32 @x
            - main: %1: i64 = load i64 @t
            - main: %3: i64 = load i64 @r
        "#]],
    );
}

#[test]
fn a_heap_block_that_is_freed_must_be_used_in_time_and_one_that_is_not_need_not() {
    check(
        "global @p size 8 align 8 = {}
        global @q size 8 align 8 = {}
        func @thread(%0: ptr) -> ptr {
        bb0: %1: ptr = load ptr @p
             store i32 1i32 to %1
             %2: ptr = load ptr @q
             store i32 2i32 to %2
             return null }
        func @main() {
        bb0: %0: ptr = call @malloc(i64 4i64)
             store ptr %0 to @p
             %1: ptr = call @malloc(i64 4i64)
             store ptr %1 to @q
             %2: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             call @free(ptr %0)
             return }",
        &expect![[r#"
            * thread: %1: ptr = load ptr @p
            * thread: store i32 1i32 to %1
            * thread: %2: ptr = load ptr @q
            - thread: store i32 2i32 to %2
            * main: store ptr %0 to @p
            * main: store ptr %1 to @q
        "#]],
    );
}

#[test]
fn a_local_that_another_thread_knows_ends_with_its_function() {
    check(
        "func @thread(%0: ptr) -> ptr {
        bb0: store i32 1i32 to %0
             return null }
        func @main() {
        bb0: %0: ptr = alloca 4 x 1i64 align 4
             %1: ptr = alloca 4 x 1i64 align 4
             %2: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr %0)
             store i32 3i32 to %1
             return }",
        &expect![[r#"
            * thread: store i32 1i32 to %0
        "#]],
    );
}

#[test]
fn atomic_updates_matter_through_what_they_read_and_write() {
    check(
        "func @thread(%0: ptr) -> ptr {
        bb0: %1: i32 = rmw.add.seqcst i32 @x, 1i32
             %2: i32 = rmw.add.seqcst i32 @y, 1i32
             %3: i32, %4: i1 = cmpxchg.seqcst.seqcst i32 @z, 0i32, 1i32
             return null }
        func @main() {
        bb0: %0: i32 = call @pthread_create(ptr @t, ptr null, ptr @thread, ptr null)
             %1: i32 = rmw.add.seqcst i32 @x, 1i32
             %2: i1 = cmp.slt i32 %1, 2i32
             call @check(i1 %2)
             %3: i32 = load i32 @z
             return }",
        &expect![[r#"
            * thread: %1: i32 = rmw.add.seqcst i32 @x, 1i32
            * main: %1: i32 = rmw.add.seqcst i32 @x, 1i32
        "#]],
    );
}

#[test]
fn whether_a_destructor_runs_depends_on_the_value_of_its_key() {
    check(
        "global @key size 4 align 4 = {}
        func @destroy(%0: ptr) {
        bb0: %1: i32 = load i32 @x
             %2: i1 = cmp.eq i32 %1, 0i32
             call @check(i1 %2)
             return }
        func @main() {
        bb0: %0: i32 = call @pthread_key_create(ptr @key, ptr @destroy)
             %1: i32 = load i32 @key
             %2: i32 = load i32 @y
             %3: i64 = sext i32 %2 to i64
             %4: ptr = inttoptr i64 %3 to ptr
             %5: i32 = call @pthread_setspecific(i32 %1, ptr %4)
             return }",
        &expect![[r#"
            - destroy: %1: i32 = load i32 @x
            - main: %1: i32 = load i32 @key
            - main: %2: i32 = load i32 @y
        "#]],
    );
}
