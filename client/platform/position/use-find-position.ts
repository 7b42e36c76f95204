import { useState } from 'react';
import { useAction } from '../forms/use-action.ts';
import { messageOf } from '../http/error-message.ts';
import { findPosition, type FindOptions } from './find-position.ts';

/** Finds this device's position on demand; if that fails, `find` returns null and `problem` says why. */
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
