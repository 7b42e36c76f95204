import { expect, test, vi } from 'vitest';
import { CallError } from '../../client/platform/http/api-client.ts';
import { messageOf } from '../../client/platform/http/error-message.ts';
import { ShownError } from '../../client/platform/http/shown-error.ts';

test('people read the words of the app and of our server, never those of a browser or a library', () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const fallback = 'Failed to turn on notifications';
  expect(messageOf(new ShownError('No microphone found.'), fallback)).toBe('No microphone found.');
  expect(messageOf(new CallError('Too many requests', 429, 'rate_limited'))).toBe(
    'Too many requests',
  );
  const raw = new DOMException('Registration failed - push service error', 'AbortError');
  expect(messageOf(raw, fallback)).toBe(fallback);
  expect(messageOf(raw)).toBe('Something went wrong. Please try again.');
  expect(messageOf('a string')).toBe('Something went wrong. Please try again.');
  // For the report to the operator.
  expect(console.error).toHaveBeenCalledWith(raw);
  vi.restoreAllMocks();
});
