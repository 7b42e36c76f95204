import { useState } from 'react';
import { alertRadiusIn } from '#shared/settings/rules.ts';
import { Field } from '../ui/field.tsx';
import { useUnits } from './use-units.ts';

/** The alert radius in the owner's units; applied within its bounds when the field loses focus, and says so if it was outside. */
export function RadiusField({
  value,
  onChange,
  hint,
}: {
  /** In feet. */
  value: number;
  onChange: (feet: number) => void;
  hint: (range: { min: number; max: number; usual: number }) => string;
}) {
  const units = useUnits();
  const range = alertRadiusIn(units);
  const [typed, setTyped] = useState<string | null>(null);
  const [correction, setCorrection] = useState<string>();
  function take() {
    if (typed === null) return;
    const feet = range.feetOf(typed);
    onChange(feet);
    setTyped(null);
    const number = typed.trim() === '' ? NaN : Number(typed);
    const isWithin = number >= range.min && number <= range.max;
    setCorrection(
      isWithin ? undefined : `Set to ${range.shown(feet)}. Enter ${range.min} to ${range.max}.`,
    );
  }
  return (
    <Field
      label={units.system === 'us' ? 'Alert radius in feet' : 'Alert radius in meters'}
      type="number"
      inputMode="numeric"
      min={range.min}
      max={range.max}
      value={typed ?? String(range.shown(value))}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
      hint={hint(range)}
      error={correction}
    />
  );
}
