import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { readStorage, writeStorage } from '../../../platform/web-storage.ts';

const KEY = 'moderation_shortcuts';
const TYPING = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';

/** Whether the keys of the workspace are on, in this browser: people whose software types letters can turn them off. */
export function useShortcutsSetting(): [isOn: boolean, turn: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => readStorage(z.boolean(), KEY) ?? true);
  const turn = (next: boolean) => {
    writeStorage(KEY, next);
    setOn(next);
  };
  return [isOn, turn];
}

/**
 * Runs an action by its key. Not while somebody types, has a dialog open or holds a modifier.
 * @param actions by key, in lower case
 */
export function useShortcuts(actions: Readonly<Record<string, () => void>>, isOn: boolean): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey, repeat, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return;
      if (target instanceof Element && target.matches(TYPING)) return;
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
      const act = latest.current[key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isOn]);
}
