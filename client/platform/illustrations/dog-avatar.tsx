import type { ReactNode } from 'react';
import { COATS_DRAWN, GROUNDS, lookOf, type DogCoat, type DogSize } from './dog-looks.ts';

const EYE = '#2a2024';

/** Ears and head, by size: small dogs have upright ears, medium ones round hanging ears, large ones long ears. */
const HEADS: Record<DogSize, (coat: string, ear: string) => ReactNode> = {
  small: (coat, ear) => (
    <>
      <path d="M19 31 16 9c6 1 12 6 15 13zM45 31l3-22c-6 1-12 6-15 13z" fill={ear} />
      <path d="M32 17c11 0 17 7 17 16 0 10-7 17-17 17s-17-7-17-17c0-9 6-16 17-16z" fill={coat} />
    </>
  ),
  medium: (coat, ear) => (
    <>
      <path d="M32 14c11 0 17 8 17 18 0 11-6 19-17 19s-17-8-17-19c0-10 6-18 17-18z" fill={coat} />
      <path
        d="M20 16c-8-1-12 7-12 14 0 6 3 10 7 10 5 0 7-7 7-13zM44 16c8-1 12 7 12 14 0 6-3 10-7 10-5 0-7-7-7-13z"
        fill={ear}
      />
    </>
  ),
  large: (coat, ear) => (
    <>
      <path
        d="M32 12c10 0 15 7 15 16v10c0 9-6 16-15 16s-15-7-15-16V28c0-9 5-16 15-16z"
        fill={coat}
      />
      <path
        d="M21 15c-7-2-11 3-12 9-1 9 0 19 4 21 5 1 7-11 8-19zM43 15c7-2 11 3 12 9 1 9 0 19-4 21-5 1-7-11-8-19z"
        fill={ear}
      />
    </>
  ),
};

/** A drawn dog, as the default picture of a dog without a photo. */
export function DogAvatar({
  seed,
  size,
  coat,
  className,
}: {
  /** The name of the dog. */
  seed: string;
  size?: DogSize | null | undefined;
  coat?: DogCoat | null | undefined;
  className?: string;
}) {
  const look = lookOf(seed, { size: size ?? null, coat: coat ?? null });
  const colors = COATS_DRAWN[look.coat];
  const isLong = look.size === 'large';
  return (
    <svg
      aria-hidden
      viewBox="0 0 64 64"
      className={className}
      data-dog={`${look.size} ${look.coat}`}
    >
      <rect width="64" height="64" fill={GROUNDS[look.ground]} />
      <path d="M14 64c1-12 8-18 18-18s17 6 18 18z" fill={colors.coat} />
      <path d="M21 50c7 4 15 4 22 0l1 4c-8 4-16 4-24 0z" fill="#6d2a6b" />
      {HEADS[look.size](colors.coat, colors.ear)}
      {look.coat === 'mixed' && (
        <path d="M33 18c8 0 13 6 14 13-3 5-9 6-13 2-3-4-3-10-1-15z" fill={colors.ear} />
      )}
      <ellipse
        cx="32"
        cy={isLong ? 43 : 41}
        rx={isLong ? 8.5 : 9}
        ry={isLong ? 8 : 6.5}
        fill={colors.muzzle}
      />
      <g fill={EYE}>
        <circle cx="25" cy="31" r="2.6" />
        <circle cx="39" cy="31" r="2.6" />
        <path d="M28 37.5c0-1.7 8-1.7 8 0 0 2-2.3 3.5-4 3.500s-4-1.5-4-3.500z" />
      </g>
      <path
        d={
          isLong ? 'M32 41v4m-4 1c1 2 3 2 4-1 1 3 3 3 4 1' : 'M32 41v2m-4 1c1 2 3 2 4-1 1 3 3 3 4 1'
        }
        fill="none"
        stroke={EYE}
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <g fill="#fff">
        <circle cx="25.9" cy="30" r=".9" />
        <circle cx="39.9" cy="30" r=".9" />
      </g>
    </svg>
  );
}
