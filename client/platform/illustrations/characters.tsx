import { COATS_DRAWN, type DogCoat } from './dog-looks.ts';

/** A dog from the side, 60 wide and 44 high, its feet at the origin's height; it looks to the right. */
export function SideDog({
  coat,
  ears = 'hanging',
}: {
  coat: DogCoat;
  ears?: 'hanging' | 'upright';
}) {
  const { coat: fur, ear, muzzle } = COATS_DRAWN[coat];
  return (
    <g>
      <path
        d="M-28-26c-7-2-9-9-7-14"
        fill="none"
        stroke={fur}
        strokeWidth="5"
        strokeLinecap="round"
      />
      <g fill={ear}>
        <rect x="-17" y="-16" width="6" height="16" rx="3" />
        <rect x="7" y="-16" width="6" height="16" rx="3" />
      </g>
      <path
        d="M-30-24c0-6 5-9 11-9h22l8-7 8 3-2 16c-1 6-5 10-11 10h-24c-7 0-12-5-12-13z"
        fill={fur}
      />
      <g fill={fur}>
        <rect x="-26" y="-18" width="7" height="18" rx="3.5" />
        <rect x="0" y="-18" width="7" height="18" rx="3.5" />
      </g>
      <path d="M6-45c3-6 13-7 18-2 5 1 9 3 9 7s-5 6-11 6c-5 5-14 4-17-1-2-3-1-7 1-10z" fill={fur} />
      <path d="M24-43c5 0 9 1 9 4 0 3-5 5-10 5-3-2-2-8 1-9z" fill={muzzle} />
      <circle cx="33" cy="-40.5" r="2.4" fill="#2a2024" />
      <circle cx="20" cy="-43" r="1.9" fill="#2a2024" />
      {ears === 'hanging' ? (
        <path d="M9-48c-5 1-8 7-7 13 3 4 9 2 10-3 1-4 0-9-3-10z" fill={ear} />
      ) : (
        <path d="M6-44 7-57c4 1 8 5 9 10zM15-47l4-10c3 3 4 7 3 11z" fill={ear} />
      )}
      <path d="M3-36c2 4 6 7 10 7" fill="none" stroke="var(--art-collar)" strokeWidth="3.5" />
    </g>
  );
}

/** A standing person, 90 high, with a phone in the right hand. */
export function Walker({ shirt, hair }: { shirt: string; hair: string }) {
  return (
    <g>
      <g fill="var(--art-trousers)">
        <rect x="-10" y="-40" width="9" height="40" rx="4" />
        <rect x="2" y="-40" width="9" height="40" rx="4" />
      </g>
      <path d="M-13-66c0-7 5-11 13-11s13 4 13 11v26c0 3-2 4-5 4H-8c-3 0-5-1-5-4z" fill={shirt} />
      <path
        d="M11-68c6 4 9 10 12 14"
        fill="none"
        stroke={shirt}
        strokeWidth="7"
        strokeLinecap="round"
      />
      <rect
        x="20"
        y="-67"
        width="9"
        height="15"
        rx="2"
        fill="var(--art-phone)"
        transform="rotate(12 24 -60)"
      />
      <circle cy="-88" r="10.5" fill="var(--art-skin)" />
      <path d="M-11-87c-2-9 4-14 11-14s12 4 11 11c-5 0-9-2-12-4-3 4-6 6-10 7z" fill={hair} />
    </g>
  );
}

/** Rolling ground with a tree. */
export function Ground({ tree = 268, sun = 60 }: { tree?: number; sun?: number }) {
  return (
    <g>
      <circle cx={sun} cy="40" r="20" fill="var(--art-sun)" />
      <path d="M0 128c52-30 104-30 160-14s110 14 160-8v54H0z" fill="var(--art-hill-far)" />
      <g transform={`translate(${tree} 124)`}>
        <rect x="-4" y="-30" width="8" height="34" rx="3" fill="var(--art-trunk)" />
        <circle cy="-46" r="24" fill="var(--art-leaf)" />
        <circle cx="-16" cy="-34" r="14" fill="var(--art-leaf)" />
      </g>
      <path d="M0 142c70-18 140-12 200-6s90 2 120-8v32H0z" fill="var(--art-hill)" />
    </g>
  );
}
