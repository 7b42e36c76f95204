import { CallError } from './api-client.ts';

// Apart from call.ts, which the landing page loads.

/** Why a call failed, as the server says it; what is said where it does not. */
export const errorMessage = (error: unknown, otherwise: string): string =>
  error instanceof CallError && error.message !== error.failure ? error.message : otherwise;

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
