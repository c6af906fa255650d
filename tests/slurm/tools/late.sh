#!/usr/bin/env bash
# workflow/profiles/generic/submit.sh, but a finished block is moved away at the end of its job and appears eight seconds later, as on a slow
# network file system. Each block is late once. LATE: the folder of the results. Arguments: those of submit.sh.
set -euo pipefail
script=$(mktemp .snakemake/late.XXXXXX)
cat > "$script" << SCRIPT
#!/usr/bin/env bash
bash "$4" || exit
touch "$LATE/late"
for block in "$LATE"/*/runs/*/*.parquet; do
    [ -e "\$block" ] && ! grep -qxF "\$block" "$LATE/late" || continue
    echo "\$block" >> "$LATE/late"
    mv "\$block" "\$block.late"
    setsid bash -c 'sleep 8; mv -n "\$0.late" "\$0"; rm -f "\$0.late"' "\$block" > /dev/null 2>&1 < /dev/null &
done
SCRIPT
exec workflow/profiles/generic/submit.sh "$1" "$2" "$3" "$script"
