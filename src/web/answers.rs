//! Answers from tables that were given before: they never change, and a look here costs no block to unpack.
//!
//! Two generations of a map: when the young one is full, it becomes the old one, whose answers are forgotten unless
//! asked for again meanwhile.

use std::collections::HashMap;
use std::hash::Hash;
use std::mem;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

/// What an entry costs beside its bytes, roughly.
const OVERHEAD: usize = 160;

/// A bounded store of answers.
pub(super) struct Answers<K>(Mutex<Generations<K>>);

struct Generations<K> {
    young: HashMap<K, Bytes>,
    old: HashMap<K, Bytes>,
    /// Memory of the young ones.
    bytes: usize,
    /// The most a generation takes.
    most: usize,
}

impl<K: Hash + Eq> Answers<K> {
    /// A store of at most about `memory` bytes.
    pub(super) fn new(memory: usize) -> Self {
        Self(Mutex::new(Generations { young: HashMap::new(), old: HashMap::new(), bytes: 0, most: memory / 2 }))
    }

    /// The answer, if it is here.
    pub(super) fn get(&self, key: &K) -> Option<Bytes> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = generations.young.get(key) {
            return Some(answer.clone());
        }
        let (key, answer) = generations.old.remove_entry(key)?;
        generations.put(key, answer.clone());
        Some(answer)
    }

    /// Keeps an answer.
    pub(super) fn put(&self, key: K, answer: Bytes) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).put(key, answer);
    }
}

impl<K: Hash + Eq> Generations<K> {
    fn put(&mut self, key: K, answer: Bytes) {
        let size = answer.len() + OVERHEAD;
        if self.bytes + size > self.most {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        // An answer put twice is the same; it is counted twice, which errs on the side of less memory.
        self.bytes += size;
        self.young.insert(key, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes() {
        let answers = Answers::new(2 * 10 * (OVERHEAD + 40));
        let answer = || Bytes::from(vec![0; 40]);
        answers.put(0, answer());
        for number in 1..1000 {
            answers.put(number, answer());
            assert!(answers.get(&0).is_some(), "forgotten at {number}");
            let kept = answers.0.lock().unwrap();
            assert!(kept.young.len() <= 10 && kept.old.len() <= 10);
        }
        assert!(answers.get(&1).is_none() && answers.get(&999).is_some());
    }
}
