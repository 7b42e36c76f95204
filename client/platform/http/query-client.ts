import { onlineManager, QueryClient } from '@tanstack/react-query';
import { DAY_MS } from '#shared/time.ts';
import { CallError } from './api-client.ts';
import { reachability } from './reachability.ts';

/** Retries after no answer or a server error, but not after a rejection. */
const shouldRetry = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof CallError) || error.status >= 500);

onlineManager.setEventListener((setOnline) =>
  reachability.subscribe(() => setOnline(reachability.get())),
);
// It may have been probed before this was loaded.
onlineManager.setOnline(reachability.get());

/** Cache of server data. Offline, a query waits for the network and shows its last data. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: DAY_MS, retry: shouldRetry },
    mutations: { retry: false },
  },
});
