import { useState } from 'react';
import { alertRadiusIn } from '#shared/settings/rules.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { useUnits } from './use-units.ts';

/** The alert radius in the owner's units. It is applied when the field loses focus; an error is shown if it is out of bounds. */
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
  const [problem, setProblem] = useState<string>();
  function take() {
    if (typed === null) return;
    const feet = range.feetOf(typed);
    if (feet === null) return setProblem(`Enter ${range.min} to ${range.max}.`);
    onChange(feet);
    setTyped(null);
    // The default of the specification takes the place of an entry that is no number.
    setProblem(typed.trim() === '' ? `Set to the default, ${range.shown(feet)}.` : undefined);
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
      error={problem}
    />
  );
}
