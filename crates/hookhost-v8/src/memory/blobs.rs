//! Counts the bytes of a hook's blobs. They lie in Deno's store, until the blob's garbage is collected.

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
        if !self.memory.take(part.size()) {
            self.memory.exhausted();
        }
        self.store.insert_part(part)
    }

    fn get_part(&self, id: &Uuid) -> Option<Arc<dyn BlobPart + Send + Sync>> {
        self.store.get_part(id)
    }

    fn remove_part(&self, id: &Uuid) -> Option<Arc<dyn BlobPart + Send + Sync>> {
        let part = self.store.remove_part(id)?;
        self.memory.give_back(part.size());
        Some(part)
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
