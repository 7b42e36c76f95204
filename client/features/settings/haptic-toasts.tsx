import { useEffect, useRef } from 'react';
import { useSonner } from 'sonner';
import { PATTERNS, vibrate } from '../../platform/vibration.ts';
import { useSettings } from './use-settings.ts';

/** Vibrates once for each success or error toast, if the owner has vibration on. */
export function HapticToasts() {
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
