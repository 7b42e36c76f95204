import { VOLUME } from '#shared/settings/rules.ts';

/** The volume of alerts, 0 to 1 in steps of 0.1, shown in percent. */
export function VolumeField({
  value,
  onChange,
  onSettled,
}: {
  value: number;
  onChange: (volume: number) => void;
  /** Called when the slider is released. */
  onSettled?: () => void;
}) {
  const percent = `${Math.round(value * 100)}%`;
  return (
    <label className="flex flex-col gap-1.5 font-bold">
      <span className="flex justify-between">
        Volume <span className="tabular-nums">{percent}</span>
      </span>
      <input
        type="range"
        min={VOLUME.min}
        max={VOLUME.max}
        step={VOLUME.step}
        value={value}
        aria-valuetext={percent}
        onChange={(event) => onChange(Number(event.target.value))}
        onPointerUp={onSettled}
        onKeyUp={onSettled}
        onBlur={onSettled}
        className="min-h-11 w-full accent-accent"
      />
    </label>
  );
}
