import { useRef, useState } from 'react';
import { InvalidForm } from '../forms/use-submit.ts';
import { messageOf } from '../http/error-message.ts';
import { readPicture, type PictureRules } from './read-picture.ts';

/** The picture chosen in a form. It is read while the form is filled in. */
export function usePicture(rules?: PictureRules) {
  const [shown, setShown] = useState<File | null>(null);
  const [problem, setProblem] = useState('');
  const pending = useRef<Promise<File> | null>(null);

  async function show(reading: Promise<File>, onRead: (file: File) => void) {
    try {
      const file = await reading;
      if (pending.current !== reading) return;
      setShown(file);
      onRead(file);
    } catch (error) {
      if (pending.current !== reading) return;
      pending.current = null;
      setProblem(messageOf(error));
    }
  }

  return {
    /** For a preview; null until it has been read. */
    shown,
    /** Why the last choice can't be used; '' if it can. */
    problem,
    choose(chosen: File, onRead: (file: File) => void = () => {}) {
      setProblem('');
      const reading = readPicture(chosen, rules).then(({ file }) => file);
      pending.current = reading;
      void show(reading, onRead);
    },
    clear() {
      pending.current = null;
      setShown(null);
      setProblem('');
    },
    /**
     * Returns the chosen picture, for a form saved before a slow phone has scaled it; null if none was chosen.
     * @throws InvalidForm if it can't be used
     */
    async taken(): Promise<File | null> {
      try {
        return await pending.current;
      } catch {
        throw new InvalidForm({});
      }
    },
  };
}
