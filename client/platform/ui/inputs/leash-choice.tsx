import type { SoundType } from '#shared/dogs/contract.ts';
import { LEASH } from '../layout/leash-badge.tsx';

const MEANS: Record<SoundType, string> = {
  leash_on: 'Must be leashed; others should keep away.',
  leash_off: 'Happy to meet other dogs.',
};

/** The choice between the two leash types. */
export function LeashChoice({
  legend,
  value,
  onPick,
}: {
  legend: string;
  value: SoundType | null;
  onPick: (type: SoundType) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-bold">{legend}</legend>
      {(['leash_on', 'leash_off'] as const).map((type) => {
        const { Icon, word, leash, soft } = LEASH[type];
        return (
          <label
            key={type}
            className="flex min-h-16 cursor-pointer items-center gap-3 max-[17rem]:flex-wrap max-[17rem]:justify-between rounded-control border border-line-strong p-3 has-checked:border-2 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <span
              className={`flex size-11 shrink-0 items-center justify-center rounded-full ${soft}`}
            >
              <Icon aria-hidden className="size-6" />
            </span>
            <span className="flex-1 max-[17rem]:order-last max-[17rem]:basis-full">
              <span className="block font-bold">
                {word} <span className="font-normal text-soft">({leash.toLowerCase()})</span>
              </span>
              <span className="block text-sm text-soft">{MEANS[type]}</span>
            </span>
            <input
              type="radio"
              name="sound_type"
              value={type}
              checked={value === type}
              onChange={() => onPick(type)}
              className="size-5 shrink-0 accent-accent outline-none"
            />
          </label>
        );
      })}
    </fieldset>
  );
}
