import { LEASH } from '../ui/leash-badge.tsx';

/** Illustrates the product: two walkers, the alert radius around one, and the spoken alert. */
export function AlertPicture() {
  const { Icon, strong } = LEASH.leash_on;
  return (
    <div
      role="img"
      aria-label="An alert as it looks on the phone: Rex needs space, about 90 feet away. Shorten the leash and make room."
      className="relative overflow-hidden rounded-card border border-line bg-sunken"
    >
      <svg viewBox="0 0 400 300" className="block w-full" aria-hidden>
        <g fill="var(--line)">
          <circle cx="60" cy="60" r="26" />
          <circle cx="98" cy="82" r="16" />
          <circle cx="352" cy="236" r="30" />
          <circle cx="312" cy="262" r="18" />
          <circle cx="34" cy="150" r="14" />
          <circle cx="232" cy="34" r="14" />
        </g>
        <path
          d="M-20 262C70 250 96 190 200 172S352 90 424 18"
          fill="none"
          stroke="var(--surface)"
          strokeWidth="34"
        />
        <g fill="none" stroke="var(--accent)">
          <circle
            cx="200"
            cy="172"
            r="112"
            strokeWidth="2"
            strokeDasharray="3 7"
            strokeLinecap="round"
          />
          <circle cx="200" cy="172" r="112" fill="var(--accent)" fillOpacity=".14" stroke="none" />
        </g>
        <circle cx="200" cy="172" r="20" fill="var(--accent)" />
        <circle cx="200" cy="172" r="7" fill="var(--on-accent)" />
        <circle cx="300" cy="118" r="20" fill="var(--leash-on)" />
        <path
          d="M300 108v12m0 6v.5"
          stroke="var(--on-leash-on)"
          strokeWidth="4.5"
          strokeLinecap="round"
        />
        <text x="200" y="222" textAnchor="middle" fontSize="15" fontWeight="700" fill="var(--ink)">
          You
        </text>
        <text x="326" y="140" fontSize="15" fontWeight="700" fill="var(--ink)">
          Rex
        </text>
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
