//! Counts the bytes of a hook's blobs. They lie in Deno's store, until the blob's garbage is collected; but an object URL
//! or a slice that is left holds them longer. So they are given back when the last holder is gone.
//!
//! A slice counts with its own length beside what it is a slice of, although it has no bytes of its own: Deno's store does
//! not say which is which.

use std::pin::Pin;
use std::sync::Arc;

use deno_core::url::Url;
use deno_web::{Blob, BlobPart, BlobStore, BlobStoreTrait};
use uuid::Uuid;

use super::Memory;

/// Deno's store, with a limit.
pub(crate) struct CountedBlobs {
    store: BlobStore,
    memory: Arc<Memory>,
}

impl CountedBlobs {
    pub(crate) fn new(memory: Arc<Memory>) -> Arc<Self> {
        Arc::new(Self { store: BlobStore::default(), memory })
    }
}

impl std::fmt::Debug for CountedBlobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CountedBlobs").finish_non_exhaustive()
    }
}

impl BlobStoreTrait for CountedBlobs {
    /// The part is there already when it is counted, so what is too much ends the hook.
    fn insert_part(&self, part: Arc<dyn BlobPart + Send + Sync>) -> Uuid {
        let size = part.size();
        let taken = self.memory.take(size);
        if !taken {
            self.memory.exhausted();
        }
        let bytes = if taken { size } else { 0 };
        self.store.insert_part(Arc::new(CountedPart { part, bytes, memory: self.memory.clone() }))
    }

    fn get_part(&self, id: &Uuid) -> Option<Arc<dyn BlobPart + Send + Sync>> {
        self.store.get_part(id)
    }

    fn remove_part(&self, id: &Uuid) -> Option<Arc<dyn BlobPart + Send + Sync>> {
        self.store.remove_part(id)
    }

    fn get_object_url(&self, url: Url) -> Option<Arc<Blob>> {
        self.store.get_object_url(url)
    }

    fn insert_object_url(&self, blob: Blob, maybe_location: Option<Url>) -> Url {
        self.store.insert_object_url(blob, maybe_location)
    }

    fn remove_object_url(&self, url: &Url) {
        self.store.remove_object_url(url);
    }

    fn clear(&self) {
        self.store.clear();
    }
}

/// A part that gives its bytes back when nobody holds it any more.
struct CountedPart {
    part: Arc<dyn BlobPart + Send + Sync>,
    /// What was taken for it.
    bytes: usize,
    memory: Arc<Memory>,
}

impl Drop for CountedPart {
    fn drop(&mut self) {
        self.memory.give_back(self.bytes);
    }
}

impl std::fmt::Debug for CountedPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CountedPart").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl BlobPart for CountedPart {
    // As the macro `async_trait` writes it, with which the trait is made.
    fn read<'a, 'async_trait>(&'a self) -> Pin<Box<dyn Future<Output = &'a [u8]> + Send + 'async_trait>>
    where
        'a: 'async_trait,
        Self: 'async_trait,
    {
        self.part.read()
    }

    fn size(&self) -> usize {
        self.part.size()
    }
}
