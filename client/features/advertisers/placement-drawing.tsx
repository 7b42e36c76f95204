import type { Placement } from '#shared/ads/contract.ts';

/** What a phone shows, from the top to the bottom: y and height of the app's own cards, and of the ad. */
const LAYOUTS: Record<Placement, { cards: [y: number, height: number][]; ad: [number, number] }> = {
  banner: {
    cards: [
      [8, 28],
      [54, 16],
      [74, 16],
    ],
    ad: [40, 10],
  },
  inline: {
    cards: [
      [8, 20],
      [32, 20],
      [72, 18],
    ],
    ad: [56, 12],
  },
  sidebar: {
    cards: [
      [8, 20],
      [32, 12],
      [48, 12],
    ],
    ad: [64, 26],
  },
  modal: {
    cards: [
      [8, 16],
      [28, 30],
      [62, 28],
    ],
    ad: [30, 34],
  },
};

/** Where an ad of a placement is on a phone; the words beside it say the same. */
export function PlacementDrawing({ placement }: { placement: Placement }) {
  const { cards, ad } = LAYOUTS[placement];
  const isOver = placement === 'modal';
  return (
    <svg aria-hidden viewBox="0 0 56 98" className="h-24 w-14 shrink-0">
      <rect
        x="1"
        y="1"
        width="54"
        height="96"
        rx="7"
        className="fill-surface stroke-line-strong"
        strokeWidth="2"
      />
      {cards.map(([y, height]) => (
        <rect key={y} x="7" y={y} width="42" height={height} rx="3" className="fill-line" />
      ))}
      <rect
        x={isOver ? 11 : 7}
        y={ad[0]}
        width={isOver ? 34 : 42}
        height={ad[1]}
        rx="3"
        className="fill-accent stroke-surface"
        strokeWidth={isOver ? 2 : 0}
      />
    </svg>
  );
}
