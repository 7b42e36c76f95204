import { useSyncExternalStore } from 'react';
import { reachability } from './reachability.ts';

/** Whether our server answers. */
export const useReachable = (): boolean =>
  useSyncExternalStore(reachability.subscribe, reachability.get);
