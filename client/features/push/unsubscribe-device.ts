/** Ends the subscription of this browser to pushes, so that none arrive for a user who is not signed in. */
export async function unsubscribeDevice(): Promise<void> {
  const registration = await globalThis.navigator?.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
