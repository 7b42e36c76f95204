import type { ReactNode } from 'react';
import { Ground, SideDog, Walker } from './characters.tsx';

const SCENES = {
  dogs: (
    <>
      <Ground />
      <g transform="translate(118 142)">
        <SideDog coat="golden" />
      </g>
      <g transform="translate(206 144) scale(.72)">
        <SideDog coat="gray" ears="upright" />
      </g>
    </>
  ),
  friends: (
    <>
      <Ground tree={286} />
      <g transform="translate(96 142)">
        <Walker shirt="var(--art-shirt)" hair="var(--art-hair)" />
      </g>
      <g transform="translate(160 144) scale(.8)">
        <SideDog coat="brown" />
      </g>
      <g transform="translate(226 142) scale(-1 1)">
        <Walker shirt="var(--art-shirt-2)" hair="var(--art-trunk)" />
      </g>
    </>
  ),
  chats: (
    <>
      <Ground tree={40} />
      <g transform="translate(104 142)">
        <SideDog coat="mixed" />
      </g>
      <g transform="translate(226 144) scale(-.86 .86)">
        <SideDog coat="gray" ears="upright" />
      </g>
      <path
        d="M104 34h58a10 10 0 0 1 10 10v20a10 10 0 0 1-10 10h-30l-10 12-2-12h-16a10 10 0 0 1-10-10V44a10 10 0 0 1 10-10z"
        fill="var(--surface)"
        stroke="var(--accent)"
        strokeWidth="3"
      />
      <g fill="var(--accent)">
        <circle cx="116" cy="54" r="4" />
        <circle cx="133" cy="54" r="4" />
        <circle cx="150" cy="54" r="4" />
      </g>
    </>
  ),
  places: (
    <>
      <Ground />
      <path
        d="M40 160c30-26 74-12 106-22s40-22 66-26"
        fill="none"
        stroke="var(--art-path)"
        strokeWidth="10"
        strokeLinecap="round"
      />
      <path
        d="M196 36c15 0 26 11 26 26 0 18-18 30-26 48-8-18-26-30-26-48 0-15 11-26 26-26z"
        fill="var(--accent)"
      />
      <circle cx="196" cy="62" r="10" fill="var(--surface)" />
      <g transform="translate(104 148) scale(.9)">
        <SideDog coat="white" />
      </g>
    </>
  ),
  quiet: (
    <>
      <Ground />
      <g transform="translate(140 144)">
        <SideDog coat="golden" />
      </g>
      <g transform="translate(92 140)">
        <Walker shirt="var(--art-shirt)" hair="var(--art-hair)" />
      </g>
    </>
  ),
  name: (
    <>
      <Ground tree={284} />
      <g transform="translate(132 142) scale(1.05)">
        <Walker shirt="var(--art-shirt-2)" hair="var(--art-hair)" />
      </g>
      <g transform="translate(206 144) scale(.9)">
        <SideDog coat="mixed" />
      </g>
    </>
  ),
  location: (
    <>
      <Ground tree={40} />
      <g
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2.5"
        strokeDasharray="2 7"
        strokeLinecap="round"
      >
        <ellipse cx="160" cy="140" rx="104" ry="24" />
        <ellipse cx="160" cy="140" rx="66" ry="15" />
      </g>
      <g transform="translate(146 142)">
        <Walker shirt="var(--art-shirt)" hair="var(--art-trunk)" />
      </g>
      <g transform="translate(200 144) scale(.8)">
        <SideDog coat="golden" />
      </g>
    </>
  ),
  calm: (
    <>
      <Ground tree={278} sun={160} />
      <g transform="translate(112 144) scale(1.2)">
        <SideDog coat="white" />
      </g>
      <path
        d="M196 62c14 8 26 10 40 10 0 36-12 58-40 70-28-12-40-34-40-70 14 0 26-2 40-10z"
        fill="var(--surface)"
        stroke="var(--leash-off)"
        strokeWidth="5"
        strokeLinejoin="round"
      />
      <path
        d="m178 104 13 14 24-28"
        fill="none"
        stroke="var(--leash-off)"
        strokeWidth="8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  lost: (
    <>
      <Ground tree={40} sun={280} />
      <path
        d="M20 168c60-14 96-34 132-18s70 4 96-22"
        fill="none"
        stroke="var(--art-path)"
        strokeWidth="12"
        strokeLinecap="round"
      />
      <g transform="translate(236 144)">
        <rect x="-4" y="-74" width="8" height="76" rx="3" fill="var(--art-trunk)" />
        <path
          d="M-40-78h58l14 12-14 12h-58z"
          fill="var(--surface)"
          stroke="var(--art-trunk)"
          strokeWidth="4"
          strokeLinejoin="round"
        />
        <path d="M-28-66h36" stroke="var(--line-strong)" strokeWidth="4" strokeLinecap="round" />
      </g>
      <g transform="translate(136 148)">
        <SideDog coat="mixed" ears="upright" />
      </g>
    </>
  ),
  charity: (
    <>
      <Ground tree={282} />
      <g transform="translate(92 142)">
        <Walker shirt="var(--art-shirt)" hair="var(--art-hair)" />
      </g>
      <g transform="translate(208 144) scale(-1 1)">
        <SideDog coat="gray" />
      </g>
      <path
        d="M152 56c-8-14-28-10-28 6 0 14 16 22 28 34 12-12 28-20 28-34 0-16-20-20-28-6z"
        fill="var(--accent)"
      />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type SceneName = keyof typeof SCENES;

/** A drawn scene, 2:1, hidden from screen readers. */
export default function Scene({ name }: { name: SceneName }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 320 160"
      className="block size-full animate-appear bg-(--art-sky)"
    >
      {SCENES[name]}
    </svg>
  );
}
