import { z } from 'zod';

// Otherwise zod tries to compile its checks, which our Content-Security-Policy forbids and reports.
z.config({ jitless: true });
