import { drawSnapshot } from './draw.ts';
import { appFiles } from './snapshot.ts';
import { whenDrawn } from './when-drawn.ts';

// What the social screen showed last is there before the app, whose first task alone takes a slow phone longer than all of it.
const begin = () => {
  for (const file of appFiles().split(' ')) void import(/* @vite-ignore */ file);
};
if (drawSnapshot()) whenDrawn(begin);
else begin();
