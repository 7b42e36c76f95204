import { LEASH } from '../../platform/ui/layout/leash-badge.tsx';

const SAID = {
  leash_on:
    'A deep, assertive bark. This dog must be leashed and kept apart: shorten the leash, make room.',
  leash_off:
    'A friendly bark. This dog is glad to meet off the leash: carry on, say hello if you like.',
} as const;

/** The two leash types with their meanings and sounds. */
export function TwoTypes() {
  return (
    <section aria-labelledby="two-types">
      <h2 id="two-types" className="mb-4 text-2xl font-bold">
        Two kinds of dog, two sounds
      </h2>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {(['leash_on', 'leash_off'] as const).map((type) => {
          const { Icon, word, leash, soft } = LEASH[type];
          return (
            <li key={type} className={`rounded-card p-5 ${soft}`}>
              <p className="flex flex-wrap items-center gap-3">
                <Icon aria-hidden className="size-8 shrink-0" />
                <span>
                  <span className="block text-xl font-bold">{word}</span>
                  <span className="block font-bold">{leash}</span>
                </span>
              </p>
              <p className="mt-3 text-ink">{SAID[type]}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
