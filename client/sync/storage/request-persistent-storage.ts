let isAsked = false;

/**
 * Asks the browser, once a visit, not to throw this device's data away when it runs short of room. To be
 * called when there is something to lose, in answer to what the person did: some browsers ask back.
 */
export async function keepStorage(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch (error) {
    console.warn('This browser can’t make storage persistent', error);
  }
}
