import { CallError } from './api-client.ts';

// Separate from api-client.ts, which the landing page loads.

/** Returns the server's reason for a failed call, or `otherwise` without one. */
export const errorMessage = (error: unknown, otherwise: string): string =>
  error instanceof CallError && error.message !== error.failure ? error.message : otherwise;

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
