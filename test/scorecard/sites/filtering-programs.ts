import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPython } from '../../support/python/tool.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startPhp } from './php.ts';
import { startProgram } from './program-site.ts';

/** Django, with a list of books in a database in memory. */
const books = `
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="books",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()

from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.http import HttpResponse
from django.urls import path
from django.utils.html import format_html, format_html_join


class Book(models.Model):
    title = models.CharField(max_length=80)
    year = models.IntegerField()
    owner = models.ForeignKey(User, on_delete=models.CASCADE)

    class Meta:
        app_label = "auth"


def home(request):
    return HttpResponse('<h1>Library</h1><a href="/books/?year=2002">Of 2002</a> <a href="/books/">All books</a>')


def listed(request):
    if sys.argv[2] == "vulnerable":
        found = Book.objects.filter(**request.GET.dict())
    else:
        years = [int(year) for year in request.GET.getlist("year") if year.isdecimal()]
        found = Book.objects.filter(year__in=years) if years else Book.objects.all()
    rows = format_html_join("", "<tr><td>{}<td>{}", ((book.title, book.year) for book in found))
    return HttpResponse(format_html("<h1>Books</h1><table><tr><th>Title<th>Year{}</table>", rows))


urlpatterns = [path("", home), path("books/", listed)]

with connection.schema_editor() as editor:
    for model in (ContentType, Permission, Group, User, Book):
        editor.create_model(model)
for number, title in enumerate(["Tides of Umea", "Salt and rye", "Canals at night", "Two rivers"]):
    owner = User.objects.create_user(f"reader{number}", password=f"only-{number}-here")
    Book.objects.create(title=title, year=2001 + number // 2, owner=owner)


class Silent(WSGIRequestHandler):
    def log_message(self, *words):
        pass


make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), handler_class=Silent).serve_forever()
`;

export async function startBookList(variant: Variant): Promise<ScoreSite> {
  const command = await findPython('django', process.env);
  return startProgram({ command, wordsFor: (port) => ['-c', books, String(port), variant] });
}

/** A table of members in SQLite: what the address says is compared, in the columns that the table has or in those that it shows. */
const members = (columns: string): string => `<?php
$database = new PDO('sqlite:' . __DIR__ . '/members.db');
$database->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$database->exec('CREATE TABLE IF NOT EXISTS members (id INTEGER PRIMARY KEY, name TEXT, town TEXT, token TEXT)');
if ($database->query('SELECT count(*) FROM members')->fetchColumn() == 0)
  foreach ([['Ada', 'Umea', '7c1fa0e2b9'], ['Ben', 'Cadiz', 'e20b4d9f71'], ['Cleo', 'Gent', 'b86d13c5a0']] as $row)
    $database->prepare('INSERT INTO members (name, town, token) VALUES (?, ?, ?)')->execute($row);
$columns = ${columns};
$operators = ['_eq' => '=', '_gte' => '>=', '_lt' => '<'];
[$terms, $values] = [['1 = 1'], []];
foreach ((array) ($_GET['filter'] ?? []) as $column => $conditions)
  foreach (is_array($conditions) ? $conditions : [] as $operator => $value)
    if (in_array($column, $columns, true) && isset($operators[$operator]) && is_string($value)) {
      $terms[] = "$column {$operators[$operator]} ?";
      $values[] = $value;
    }
$found = $database->prepare('SELECT id, name, town FROM members WHERE ' . implode(' AND ', $terms));
$found->execute($values);
header('Content-Type: application/json');
echo json_encode(['data' => $found->fetchAll(PDO::FETCH_ASSOC)]);
`;
const ofTable = '$database->query(\'SELECT name FROM pragma_table_info("members")\')->fetchAll(PDO::FETCH_COLUMN)';

export function startMemberTable(variant: Variant): Promise<ScoreSite> {
  const folder = mkdtempSync(join(tmpdir(), 'members-'));
  const page =
    '<h1>Members</h1><a href="/members.php?filter[town][_eq]=Gent">In Gent</a> <a href="/members.php">All</a>';
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'members.php'), members(variant === 'vulnerable' ? ofTable : "['name', 'town']"));
  return startPhp(folder);
}
