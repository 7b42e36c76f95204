import { reachability } from '../../../client/platform/http/reachability.ts';
import { ValueStore } from '../../../client/platform/store.ts';
import { current, type Browser } from './browser-globals.ts';

/** Has each simulated device know whether servers answer it: its page would share that with no other. */
export function separateReachability(): void {
  const stores = new WeakMap<Browser, ValueStore<boolean>>();
  const own = () => {
    const store = stores.get(current()) ?? new ValueStore(true);
    stores.set(current(), store);
    return store;
  };
  Object.assign(reachability, {
    get: () => own().get(),
    set: (isReachable) => own().set(isReachable),
    subscribe: (listener) => own().subscribe(listener),
  } satisfies Partial<typeof reachability>);
}
