# An HTP program as a shell script with one switch per fault: misbehave.sh [FAULT [AT]].
#
# AT is the number of its own move at which the fault occurs, 1 if not given. All other moves are the
# first free cells.
fault=${1:-none} at=${2:-1} count=0 stones=' '

first_free() {
    for row in 1 2 3 4 5; do
        for column in a b c d e; do
            case $stones in *" $column$row "*) ;; *) echo $column$row; return ;; esac
        done
    done
}

misbehave() {
    echo "misbehave: $fault" >&2
    case $fault in
        crash-segv) kill -SEGV $$ ;;
        crash-abort) kill -ABRT $$ ;;
        exit) exit 3 ;;
        hang) while :; do :; done ;;
        sleep) sleep 100 ;;
        fork-hang) setsid sleep 100 & while :; do :; done ;;
        sigterm-ignore) trap '' TERM; while :; do :; done ;;
        illegal) printf '= z9\n\n'; return 0 ;;
        empty) printf '= \n\n'; return 0 ;;
        no-move) printf '= hello\n\n'; return 0 ;;
        negative) printf '= -7\n\n'; return 0 ;;
        garbage) printf 'hello\n\n'; return 0 ;;
        not-utf-8) printf '= \377\376\n\n'; return 0 ;;
        two-answers) cell=$(first_free); stones="$stones$cell "; printf '= %s\n\n= %s\n\n' $cell $cell; return 0 ;;
        endless) printf '= '; while :; do printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; done ;;
        unflushed) printf '= a1\n'; sleep 100 ;;
        noise-stderr) yes 0123456789012345678901234567890123456789 | head -c 5000000 >&2 ;;
    esac
    return 1
}

while read -r word color cell rest; do
    case $word in
        list_commands) printf '= boardsize\nclear_board\nplay\ngenmove\nname\n\n' ;;
        clear_board | boardsize) stones=' '; printf '= \n\n' ;;
        play) stones="$stones$cell "; printf '= \n\n' ;;
        name) printf '= misbehave\n\n' ;;
        genmove)
            count=$((count + 1))
            if [ $count = "$at" ] && [ $fault != none ] && misbehave; then continue; fi
            cell=$(first_free)
            stones="$stones$cell "
            printf '= %s\n\n' "$cell"
            ;;
        quit) printf '= \n\n'; exit ;;
        *) printf '? unknown command\n\n' ;;
    esac
done
