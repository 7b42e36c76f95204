import { useRef, useState } from 'react';

/**
 * Runs something asynchronous, once at a time: calls while it runs are ignored.
 * @returns how to run it, and the arguments it is running with; undefined while it is not
 */
export function useAction<Args extends unknown[]>(
  act: (...args: Args) => Promise<unknown>,
): [run: (...args: Args) => Promise<void>, running: Args | undefined] {
  const isRunning = useRef(false);
  const [running, setRunning] = useState<Args>();
  const run = async (...args: Args) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setRunning(args);
    try {
      await act(...args);
    } finally {
      isRunning.current = false;
      setRunning(undefined);
    }
  };
  return [run, running];
}
