import { useEffect } from 'react';
import { keepFocus } from './keep-focus.ts';
import { guardMovedPress } from './prevent-shifted-tap.ts';
import { guardSecondPress } from './prevent-double-tap.ts';

/** What every screen behind a sign-in has looked after: the focus, and presses that meet what was not meant. */
export function useGuards(): void {
  useEffect(() => {
    const ends = [keepFocus(), guardSecondPress(), guardMovedPress()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
