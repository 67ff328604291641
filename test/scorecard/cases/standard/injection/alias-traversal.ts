import type { ScoreCase } from '../../../case.ts';
import { startAlias } from '../../../sites/alias-folders.ts';

const page = '<!doctype html><title>Kiosk</title><link rel="stylesheet" href="/assets/site.css"><h1>Kiosk</h1>';

/** `location /assets { alias /srv/app/assets/; }` */
const settingsBeside: ScoreCase = {
  name: 'nginx with the settings of the application beside its folder of styles',
  start: (variant) =>
    startAlias({
      location: variant === 'vulnerable' ? '/assets' : '/assets/',
      directory: 'assets/',
      page,
      server: 'nginx/1.24.0',
      files: { 'assets/site.css': 'body { color: #123 }', '.env': 'APP_ENV=production\nDB_PASSWORD=k-29-mast\n' },
    }),
};

const otherName: ScoreCase = {
  name: 'nginx whose address is called otherwise than the directory',
  start: (variant) =>
    startAlias({
      location: variant === 'vulnerable' ? '/cdn' : '/cdn/',
      directory: 'static/',
      page: '<h1>Lamps</h1><script src="/cdn/js/site.js"></script>',
      server: 'openresty',
      files: { 'static/js/site.js': 'document.title = "Lamps of oak";', 'lamps.db': 'SQLite format 3' },
    }),
};

const ownServer: ScoreCase = {
  name: 'server of its own that joins texts to a path',
  start: (variant) =>
    startAlias({
      location: variant === 'vulnerable' ? '/files' : '/files/',
      directory: 'files/',
      page: '<h1>Notes</h1><a href="/files/terms.txt">Terms</a>',
      files: { 'files/terms.txt': 'Terms of the house, as of May.', 'app.py': 'import os\n\nSECRET = "q"\n' },
    }),
};

export const cases = [settingsBeside, otherName, ownServer];
