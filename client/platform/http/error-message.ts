import { CallError } from './api-client.ts';
import { ShownError } from './shown-error.ts';

// Separate from api-client.ts, which the landing page loads.

const UNEXPECTED = 'Something went wrong. Please try again.';

/**
 * Returns what people are told of an error. The only place that reads the message of one: those of browsers and libraries are in
 * words that nobody can use, and in English only. The structure check finds others.
 * @param otherwise the words for an error whose own aren't meant for people
 */
export function messageOf(error: unknown, otherwise = UNEXPECTED): string {
  if (error instanceof ShownError) return error.message;
  console.error(error);
  return otherwise;
}

/** Returns the server's reason for a failed call, or `otherwise` without one. */
export const errorMessage = (error: unknown, otherwise: string): string =>
  error instanceof CallError && error.message !== error.failure ? error.message : otherwise;
