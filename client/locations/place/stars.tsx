import { Star } from 'lucide-react';
import { useId } from 'react';

const STARS = [1, 2, 3, 4, 5] as const;

/** A rating input with one to five stars. */
export function Stars({
  legend,
  value,
  onPick,
}: {
  legend: string;
  value: number | null;
  onPick: (stars: number) => void;
}) {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3">
      <legend className="float-left mr-2 font-bold">{legend}</legend>
      <div className="flex">
        {STARS.map((stars) => (
          <label
            key={stars}
            className="relative flex size-11 cursor-pointer items-center justify-center rounded-control has-focus-visible:outline-3 has-focus-visible:outline-accent"
          >
            <span className="sr-only">{stars === 1 ? '1 star' : `${stars} stars`}</span>
            <input
              type="radio"
              name={name}
              checked={value === stars}
              onChange={() => onPick(stars)}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <Star
              aria-hidden
              className={`size-7 ${value !== null && stars <= value ? 'fill-accent text-accent' : 'text-line-strong'}`}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
