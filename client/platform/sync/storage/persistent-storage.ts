let isPersistenceRequested = false;

/**
 * Asks the browser, once a visit, not to delete this device's data when it runs out of room. Called in answer to an action of
 * the user, because some browsers show a prompt.
 */
export async function requestPersistentStorage(): Promise<void> {
  if (isPersistenceRequested) return;
  isPersistenceRequested = true;
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch (error) {
    console.warn('This browser can’t make storage persistent', error);
  }
}
