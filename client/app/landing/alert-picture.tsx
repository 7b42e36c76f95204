import { Ground, SideDog, Walker } from '../../platform/illustrations/characters.tsx';
import { LEASH } from '../../platform/ui/layout/leash-badge.tsx';

/** The screen of a phone during the encounter, above its owner. */
function Bubble({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 20)`} className="encounter-warning">
      <path
        d="M-15-15h30a7 7 0 0 1 7 7v13a7 7 0 0 1-7 7H6L0 19l-6-7h-9a7 7 0 0 1-7-7V-8a7 7 0 0 1 7-7z"
        fill="var(--leash-on-strong)"
      />
      <path d="M0-9v9m0 6v.5" stroke="var(--on-leash-on)" strokeWidth="4" strokeLinecap="round" />
    </g>
  );
}

/**
 * Illustrates the product: two walkers approach, and both phones warn of Rex before the dogs meet. The drawing without motion is the
 * moment of the warning.
 */
export function AlertPicture() {
  const { Icon, strong } = LEASH.leash_on;
  return (
    <div
      role="img"
      aria-label="An alert as it looks on the phone: Rex needs space, about 90 feet away. Shorten the leash and make room."
      className="relative overflow-hidden rounded-card border border-line bg-(--art-sky)"
    >
      <svg viewBox="0 0 320 164" className="block w-full" aria-hidden>
        <Ground tree={160} sun={112} />
        <path d="M0 154h320" stroke="var(--art-path)" strokeWidth="14" />
        <g className="encounter-warning" fill="none" stroke="var(--accent)" strokeLinecap="round">
          <path d="M112 122h96" strokeWidth="2.5" strokeDasharray="1 7" />
        </g>
        <g className="encounter-left">
          <g transform="translate(40 152)">
            <Walker shirt="var(--art-shirt-2)" hair="var(--art-hair)" />
          </g>
          <path d="M55 104Q74 120 88 114" fill="none" stroke="var(--art-collar)" strokeWidth="2" />
          <g transform="translate(86 154) scale(.8)">
            <SideDog coat="golden" />
          </g>
          <Bubble x={40} />
        </g>
        <g className="encounter-right">
          <g transform="translate(280 152) scale(-1 1)">
            <Walker shirt="var(--art-shirt)" hair="var(--art-trunk)" />
          </g>
          <path
            d="M265 104Q246 120 232 114"
            fill="none"
            stroke="var(--art-collar)"
            strokeWidth="2"
          />
          <g transform="translate(234 154) scale(-.9 .9)">
            <SideDog coat="gray" ears="upright" />
          </g>
          <Bubble x={280} />
        </g>
      </svg>
      <div className={`flex items-center gap-4 p-4 sm:p-5 ${strong}`}>
        <Icon aria-hidden className="size-10 shrink-0" />
        <div>
          <p className="text-xl font-bold">Rex needs space</p>
          <p className="font-bold">90 feet · Shorten the leash, make room</p>
        </div>
      </div>
    </div>
  );
}
