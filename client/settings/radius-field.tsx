import { useState } from 'react';
import { ALERT_RADIUS, radiusOf } from '#shared/settings/rules.ts';
import { Field } from '../ui/field.tsx';

/** The alert radius in feet; applied within its bounds when the field loses focus. */
export function RadiusField({
  value,
  onChange,
  hint,
}: {
  value: number;
  onChange: (feet: number) => void;
  hint: string;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  function take() {
    if (typed === null) return;
    onChange(radiusOf(typed));
    setTyped(null);
  }
  return (
    <Field
      label="Alert radius in feet"
      type="number"
      inputMode="numeric"
      min={ALERT_RADIUS.min}
      max={ALERT_RADIUS.max}
      value={typed ?? String(value)}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
      hint={hint}
    />
  );
}
