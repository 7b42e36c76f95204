import { useRef, useState } from 'react';

/**
 * Runs something asynchronous, once at a time: a call while it runs starts nothing, and gets the result of the first.
 * @returns how to run it, and the arguments it is running with; undefined while it is not
 */
export function useAction<Args extends unknown[], Result>(
  act: (...args: Args) => Promise<Result>,
): [run: (...args: Args) => Promise<Result>, running: Args | undefined] {
  const current = useRef<Promise<Result>>(undefined);
  const [running, setRunning] = useState<Args>();
  const start = async (...args: Args) => {
    setRunning(args);
    try {
      return await act(...args);
    } finally {
      current.current = undefined;
      setRunning(undefined);
    }
  };
  return [(...args) => (current.current ??= start(...args)), running];
}
