import { errorClass } from '#shared/client-errors/contract.ts';
import { FRAMES_MAX } from '#shared/client-errors/rules.ts';

/** The lines of a stack in Chrome ('at f (url:1:2)') and in Firefox and Safari ('f@url:1:2'). */
const FRAME = /^\s*(?:at\s|[^\s]*@).*\/assets\/([\w-]{1,80}\.js):(\d{1,6}):(\d{1,7})\)?$/u;

export interface DescribedError {
  error_class: string;
  frames: string[];
}

/**
 * Returns what may be reported of an error: its class, and where in the built code it happened. Not its message, which may contain
 * anything.
 */
export function describeError(error: unknown): DescribedError {
  const { name = '', message = '', stack = '' } = error instanceof Error ? error : {};
  // Its lines may look like those of a stack.
  const lines = (message === '' ? stack : stack.replace(message, '')).split('\n');
  const frames = lines.flatMap((line) => {
    const [, chunk, row, column] = FRAME.exec(line) ?? [];
    return chunk === undefined ? [] : [`${chunk}:${row}:${column}`];
  });
  return {
    error_class: errorClass.safeParse(name).data ?? 'Error',
    frames: frames.slice(0, FRAMES_MAX),
  };
}
