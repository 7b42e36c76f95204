import { onlineManager, QueryClient } from '@tanstack/react-query';
import { DAY_MS } from '#shared/time.ts';
import { CallError } from './api-client.ts';

/** A refusal stays a refusal; no answer, or a server in trouble, is worth asking again. */
const worthAnotherTry = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof CallError) || error.status >= 500);

// It believes in a network until it hears otherwise, also when it starts without one.
onlineManager.setOnline(navigator.onLine);

/** Data that lives on the server. Offline, a query waits for the network and shows what it last had. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: DAY_MS, retry: worthAnotherTry },
    mutations: { retry: false },
  },
});
