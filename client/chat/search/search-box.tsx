import { Search } from 'lucide-react';
import { useId, type Ref } from 'react';

/** Where one types what to look for among messages. */
export function SearchBox({
  label,
  value,
  onChange,
  onLeave,
  ref,
}: {
  label: string;
  value: string;
  onChange: (term: string) => void;
  /** Esc in it. */
  onLeave: () => void;
  ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  return (
    <div className="relative">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden className="absolute top-3.5 left-3.5 size-5 text-soft" />
      <input
        ref={ref}
        id={id}
        type="search"
        value={value}
        placeholder={label}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onLeave()}
        className="min-h-12 w-full rounded-control border border-line-strong bg-surface py-2 pr-3 pl-11 text-ink placeholder:text-soft"
      />
    </div>
  );
}
