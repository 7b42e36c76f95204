import { ValueStore } from './store.ts';

export const OFFLINE = 'You’re offline. Changes are saved on this device and sync later.';

/** What the banner says while this device is offline; a feature that can't work then says so. */
export const offlineText = new ValueStore(OFFLINE);
