#!/bin/sh
# A WordPress site, from Debian’s package or $WORDPRESS, with a MariaDB of its own, both below $SITE. Installs it at
# the first start. Serves it on $PORT, as $SITE_ORIGIN. Ends with its process group.
set -eu
here=$(dirname "$(realpath "$0")")
SITE=$(realpath "$SITE")
socket=$SITE/db.sock
user=$(id -un)
mkdir -p "$SITE/tmp"
if [ ! -d "$SITE/db" ]; then
  mariadb-install-db --no-defaults --user="$user" --datadir="$SITE/db" --auth-root-socket-user="$user" \
    --auth-root-authentication-method=socket --skip-test-db >"$SITE/install.log" 2>&1 || { cat "$SITE/install.log"; exit 1; }
fi
mariadbd --no-defaults --user="$user" --datadir="$SITE/db" --socket="$socket" --pid-file="$SITE/db.pid" --skip-networking \
  --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M --tmpdir="$SITE/tmp" >"$SITE/db.log" 2>&1 &
database=$!
until mariadb-admin --no-defaults --socket="$socket" --user="$user" ping >/dev/null 2>&1; do
  kill -0 "$database" 2>/dev/null || { cat "$SITE/db.log"; exit 1; }
  sleep 0.1
done
if [ ! -f "$SITE/installed" ]; then
  mariadb --no-defaults --socket="$socket" --user="$user" -e "CREATE DATABASE wordpress CHARACTER SET utf8mb4;
    CREATE USER wordpress@localhost IDENTIFIED BY 'wordpress'; GRANT ALL ON wordpress.* TO wordpress@localhost;"
  cp -rL "${WORDPRESS:-/usr/share/wordpress}" "$SITE/www"
  cp "$here/wp-config.php" "$SITE/www/wp-config.php"
  php "$here/install.php" "$SITE"
  touch "$SITE/installed"
fi
exec php -d upload_tmp_dir="$SITE/tmp" -d error_log="$SITE/php.log" -d display_errors=0 -d log_errors=1 \
  -S "127.0.0.1:$PORT" -t "$SITE/www" "$here/router.php"
