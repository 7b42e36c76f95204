/** A switch that takes effect at once. */
export function Switch({
  label,
  checked,
  onChange,
  describedBy,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The ID of the element that describes it. */
  describedBy?: string;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={() => onChange(!checked)}
      className="group flex min-h-11 shrink-0 items-center gap-2.5 rounded-control px-1 font-bold"
    >
      <span className="w-7 text-right max-sm:hidden">{checked ? 'On' : 'Off'}</span>
      <span className="flex h-8 w-14 items-center rounded-full border-2 border-line-strong bg-sunken p-0.5 group-aria-checked:border-accent group-aria-checked:bg-accent">
        <span className="size-6 rounded-full bg-line-strong transition-transform group-aria-checked:translate-x-6 group-aria-checked:bg-on-accent" />
      </span>
    </button>
  );
}
