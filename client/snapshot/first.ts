import { drawSnapshot } from './draw.ts';
import { appFiles } from './snapshot.ts';
import { whenDrawn } from './when-drawn.ts';

// What the social screen showed last is there before the app, whose first task alone takes a slow phone longer than all of it.
// As elements the page's `load` waits for them: what a browser tells after that, such as that the app can be installed, is heard.
const begin = () => {
  for (const src of appFiles().split(' '))
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
};
if (drawSnapshot()) void whenDrawn().then(begin);
else begin();
