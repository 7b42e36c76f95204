import { useState } from 'react';
import { useAction } from '../forms/use-action.ts';
import { messageOf } from '../http/error-message.ts';
import { findPosition, type FindOptions } from './find-position.ts';

/** Finds where this device is when it is asked to; if it cannot, `find` returns null and `problem` says why. */
export function useFindPosition(options: FindOptions = {}) {
  const [problem, setProblem] = useState('');
  const [find, finding] = useAction(async () => {
    setProblem('');
    try {
      return await findPosition(options);
    } catch (error) {
      setProblem(messageOf(error));
      return null;
    }
  });
  return { find, isFinding: finding !== undefined, problem, setProblem };
}
