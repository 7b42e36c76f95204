import { useEffect, useRef } from 'react';
import { useSonner } from 'sonner';
import { PATTERNS, vibrate } from '../vibration.ts';
import { useSettings } from './use-settings.ts';

/** Toasts that say that something went well, or wrong, are felt too, once each, where the owner wants vibration. */
export function FeltToasts() {
  const { toasts } = useSonner();
  const { vibration } = useSettings().settings;
  const felt = useRef(new Set<number | string>());
  useEffect(() => {
    for (const { id, type } of toasts) {
      if (felt.current.has(id)) continue;
      felt.current.add(id);
      if (vibration && (type === 'success' || type === 'error')) vibrate(PATTERNS[type]);
    }
  }, [toasts, vibration]);
  return null;
}
