import { useId } from 'react';
import { Switch } from '../../platform/ui/inputs/switch.tsx';

/** A setting with a description and a switch. */
export function SwitchRow({
  label,
  more,
  checked,
  onChange,
}: {
  label: string;
  more: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <li className="flex items-center justify-between gap-3 py-1.5">
      <div className="min-w-0">
        <p className="font-bold">{label}</p>
        <p id={id} className="text-sm text-soft">
          {more}
        </p>
      </div>
      <Switch label={label} describedBy={id} checked={checked} onChange={onChange} />
    </li>
  );
}
