import { useEffect } from 'react';
import { keepFocus } from './keep-focus.ts';
import { guardMovedPress } from './moved-press.ts';
import { guardSecondPress } from './second-press.ts';

/** What every screen behind a sign-in has looked after: the focus, and presses that meet what was not meant. */
export function useGuards(): void {
  useEffect(() => {
    const ends = [keepFocus(), guardSecondPress(), guardMovedPress()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
